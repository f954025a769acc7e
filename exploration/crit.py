import json,sys
r=json.load(open(sys.argv[1]))
for p in r['critical_paths']:
    if 'posedge' not in p['from'] or 'posedge' not in p['to']: continue
    t=0
    for s in p['path']:
        t+=s['delay']; f=s['from']; to=s['to']
        print('%-8s %5.2f %6.2f  %s -> %s  %s'%(s['type'],s['delay'],t,f['cell'][-50:]+'.'+f['port'],to['cell'][-50:]+'.'+to['port'],s.get('net','')[-60:]))
