import subprocess,sys,json,re,glob,os
d,top=sys.argv[1:3]
L="strash;ifraig;scorr;dc2;resub,-K,6;rewrite;resub,-K,6,-N,2;refactor;resub,-K,8;balance;resub,-K,8,-N,2;rewrite;resub,-K,10;rewrite,-z;resub,-K,10,-N,2;balance;resub,-K,12;refactor,-z;resub,-K,12,-N,2;balance;rewrite,-z;balance;dc2;dc2;strash;&get,-n;&dch,-f;&nf,-R,1000,-F,20,-A,10;&put;topo"
lib='/work/wt/gates/synthesis/liberty/generic_ge.lib'
fs=' '.join(f for f in sorted(glob.glob(d+'/*.v')) if 'wrapper' not in f and '_axis' not in f and 'icestorm' not in f)
s=f"""read_verilog {fs}
hierarchy -check -top {top}
proc
flatten
opt
fsm
opt
wreduce
peepopt
opt_clean
alumacc
share
opt
memory -nordff -nomap
opt_clean
opt -fast -full
techmap
opt
dfflibmap -prepare -liberty {lib}
opt_clean
abc -liberty {lib} -script +{L}
opt_clean
dfflibmap -map-only -liberty {lib}
opt_clean
write_json /tmp/ge_gates.json
"""
open('/tmp/ge_gates.ys','w').write(s)
subprocess.run(['nice','yosys','-q','-s','/tmp/ge_gates.ys'],check=True,stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL)
area={}; cell=None
for l in open(lib):
    m=re.search(r'^\s*cell\s*\(\s*"?(\w+)"?',l)
    if m: cell=m[1]
    m=re.search(r'\barea\s*:\s*([\d.]+)',l)
    if m and cell: area.setdefault(cell,float(m[1]))
n=json.load(open('/tmp/ge_gates.json'))['modules'][top]
ge=0;bits=0;oth={};ff=0
for c in n['cells'].values():
    t=c['type']
    if t in area: ge+=area[t]; ff+='DFF' in t
    elif t.startswith('$mem'): bits+=int(c['parameters']['SIZE'],2)*int(c['parameters']['WIDTH'],2)
    else: oth[t]=oth.get(t,0)+1
print(f"{d}: logic {ge:.0f} storage {bits*1.5:.0f} total {ge+bits*1.5:.0f} ff {ff}",oth or '')
