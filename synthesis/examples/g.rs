use tracewright_sim::scheme::Design;
use tracewright_synthesis::*;
fn main() {
    let cache = tracewright_cache::Cache::at("build/gates");
    let mut designs: Vec<Design> = vec![];
    let mut fpga = 0;
    let mut out = None;
    let mut args = std::env::args().skip(1);
    while let Some(a) = args.next() {
        if a == "--fpga" {
            fpga = args.next().unwrap().parse().unwrap();
        } else if a == "--out" {
            out = args.next();
        } else if let Some((n, v)) = a.split_once('=') {
            designs.last_mut().unwrap().set(n, v).unwrap();
        } else {
            designs.push(Design::preset(&a).unwrap());
        }
    }
    for d in &designs {
        let v = tracewright_hdl::generate(d).unwrap();
        if let Some(o) = &out {
            let _ = std::fs::create_dir_all(o);
            for (n, t) in &v.files {
                std::fs::write(format!("{o}/{n}"), t).unwrap();
            }
            continue;
        }
        if fpga > 0 {
            let f = FpgaFlow::new(Family::Ecp5, &FpgaOptions { yosys: None, seeds: fpga }, &cache)
                .unwrap();
            println!("{} {:?}", d.name, f.measure(&d.name, &v).unwrap());
            continue;
        }
        let c = GateCounter::new(GateOptions::default(), &cache).unwrap();
        let g = c.count(&d.name, &v).unwrap();
        println!("{} logic {} total {} ff {}", d.name, g.logic_ge, g.total_ge, g.flip_flops);
    }
}
