use tracewright_sim::trace_io::*;
fn main() {
    for path in std::env::args().skip(1) {
        let mut bytes = Vec::new();
        std::io::copy(&mut zstd::Decoder::new(std::fs::File::open(&path).unwrap()).unwrap(), &mut bytes).unwrap();
        let t = std::time::Instant::now();
        let mut reader = Reader::new(std::io::Cursor::new(bytes.clone())).unwrap();
        let mut sum = 0u64;
        let mut zero = 0;
        while let Some(e) = match reader.next_event() { Ok(x) => x, Err(e) => { println!("{path}: {e}"); None } } {
            sum = sum.wrapping_add(e.target ^ e.program_counter);
            zero += (e.instructions == 0) as u32;
        }
        let t = t.elapsed().as_secs_f64();
        let mut w = Writer::new(Vec::new(), reader.machine(), WriterOptions{format: Format::Pet1, ..Default::default()}).unwrap();
        for e in open(&path).unwrap() { match e { Ok(e) => w.write(&e).unwrap(), Err(_) => break } }
        let same = w.finish().unwrap() == bytes;
        println!("{path} {:?} records {} instructions {} {:.1} M/s zero-n {zero} same {same} {sum:x}", reader.machine(), reader.records(), reader.instructions(), reader.records() as f64 / t / 1e6);
    }
}
