// expect: ok
function compose(middleware) {
  return (ctx) => {
    const dispatch = async (i) => {
      if (i === middleware.length) return;
      await middleware[i](ctx, () => dispatch(i + 1));
    };
    return dispatch(0);
  };
}

const app = compose([
  async (ctx, next) => {
    ctx.body = ctx.body ?? 'none';
    await next();
    ctx.body = `${ctx.body}!`;
  },
  async (ctx) => {
    if (!ctx.user) ctx.user = await Promise.resolve(ctx.name);
    ctx.body = await Promise.resolve(`hello ${ctx.user}`);
  },
]);

async function handle(name) {
  const ctx = { name, body: undefined };
  await app(ctx);
  return ctx.body;
}

console.log(await Promise.all(['ann', 'bob'].map(handle)));
