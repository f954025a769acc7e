//! Trial of the API.
use tracewright_elaborate::prelude::*;

#[derive(LogicBlock)]
struct Gshare {
    kind: Kind,
    pub domain: Domain,
    pub update: Wire<In>,
    pub program_counter: Wire<In>,
    pub taken: Wire<In>,
    pub predicted_taken: Wire<Out>,
    index: Wire<Local>,
    history: Reg,
    table: Memory,
    stages: Vec<Reg>,
    has_history: Param,
    _index_width: usize,
}
impl Gshare {
    fn new(entries: usize) -> Self {
        let w = address_width(entries);
        Self {
            kind: Kind::new("gshare", [("entries", entries)]),
            domain: Domain::new(),
            update: Wire::new(1),
            program_counter: Wire::new(32),
            taken: Wire::new(1),
            predicted_taken: Wire::new(1),
            index: Wire::new(w),
            history: Reg::new(w, 0),
            table: Memory::new(entries, 1),
            stages: (0..3).map(|_| Reg::new(w, 0)).collect(),
            has_history: Param::new(1),
            _index_width: w,
        }
    }
}
impl Logic for Gshare {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, history);
        clock!(self, domain, table);
        self.index.next = bits_to(self.program_counter.val() >> 4, self._index_width);
        if self.has_history.val() == 1 {
            self.index.next = self.index.val() ^ self.history.q.val();
        }
        self.table.read_address.next = self.index.val();
        self.table.write_address.next = self.index.val();
        self.table.write_enable.next = self.update.val();
        self.table.write_data.next = self.taken.val();
        self.predicted_taken.next = self.table.read_data.val();
        for i in 0..self.stages.len() {
            dff_setup!(self, domain, stages[i]);
            if self.update.val().any() && self.history.q.val() == i {
                self.stages[i].d.next = self.stages[i].q.val() + i;
            }
        }
        if self.update.val().any() {
            self.history.d.next = (self.history.q.val() << 1) | bits_to(self.taken.val(), self._index_width);
        }
    }
}
#[test]
fn api() {
    let mut s = Simulator::new(Gshare::new(512)).unwrap();
    s.poke(|b| { b.update.next = true.into(); b.taken.next = true.into(); });
    let t = std::time::Instant::now();
    for _ in 0..100000 { s.clock(); }
    println!("{:?}", t.elapsed());
    assert_eq!(s.peek(|b| b.history.q.val()), 511);
}
