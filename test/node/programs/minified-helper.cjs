// expect: violation i
// esbuild's helper for async functions, as a minifier leaves it.
// biome-ignore-all format: what a minifier writes
// biome-ignore-all lint: the same
var f=(e,r,t)=>new Promise((l,a)=>{var m=n=>{try{o(t.next(n))}catch(s){a(s)}},c=n=>{try{o(t.throw(n))}catch(s){a(s)}},o=n=>n.done?l(n.value):Promise.resolve(n.value).then(m,c);o((t=t.apply(e,r)).next())});
const u = new Map([['pen', { left: 1 }]]);
function i(e) {
  return f(this, null, function* () {
    const r = u.get(e);
    const t = r.left; // (1)
    if (t < 1) return false;
    yield null;
    r.left = t - 1; // (2)
    return true;
  });
}
Promise.all([i('pen'), i('pen')]).then((e) => console.log(e));
