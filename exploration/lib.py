import sys
def sub(f,*pairs):
    s=open(f).read()
    for a,b in pairs:
        assert a in s,(f,a)
        s=s.replace(a,b,1)
    open(f,'w').write(s)
P='traptor_m4_fpga_'
