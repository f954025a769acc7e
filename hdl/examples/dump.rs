fn main() {
    let out = std::env::args().nth(1).unwrap();
    for preset in tracewright_sim::preset::all() {
        let design = tracewright_sim::scheme::Design::preset(preset.name).unwrap();
        let g = tracewright_hdl::generate(&design).unwrap();
        let dir = std::path::Path::new(&out).join(preset.name);
        std::fs::create_dir_all(&dir).unwrap();
        let (n, t) = g.one_file();
        std::fs::write(dir.join(n), t).unwrap();
    }
}
