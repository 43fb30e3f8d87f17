import { createServer } from 'node:http';
import { readFileSync, existsSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
const types={'.html':'text/html','.js':'text/javascript','.css':'text/css','.json':'application/json','.svg':'image/svg+xml','.wasm':'application/wasm','.csv':'text/csv'};
export async function serve({root,base='/',port=0}){const dir=fileURLToPath(root);const s=createServer((q,r)=>{let p=new URL(q.url,'http://x').pathname;if(!p.startsWith(base)){r.writeHead(404).end();return}p=join(dir,decodeURIComponent(p.slice(base.length)));if(existsSync(p)&&statSync(p).isDirectory())p=join(p,'index.html');if(!existsSync(p)){r.writeHead(404).end();return}r.writeHead(200,{'content-type':types[extname(p)]??'application/octet-stream'}).end(readFileSync(p))});await new Promise(f=>s.listen(port,'127.0.0.1',f));return{url:`http://127.0.0.1:${s.address().port}${base}`,close:()=>new Promise(f=>s.close(f))}}
