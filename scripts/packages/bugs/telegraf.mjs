// Three messages of one chat at once; each reads the session, changes it, and writes it back.
import { setTimeout as sleep } from 'node:timers/promises';

const { Telegraf, session } = (await import(`telegraf-${process.argv[2]}`)).default;
const bot = new Telegraf('1:token');
bot.botInfo = { id: 1, is_bot: true, username: 'bot', first_name: 'bot' };
const rows = new Map();
const store = {
  async get(key) {
    await sleep(2);
    const text = rows.get(key);
    return text && JSON.parse(text);
  },
  async set(key, value) {
    await sleep(2);
    rows.set(key, JSON.stringify(value));
  },
  async delete(key) {
    rows.delete(key);
  },
};
bot.use(session({ store }));
bot.on('text', async (ctx) => {
  ctx.session ??= { seen: [] };
  ctx.session.seen.push(ctx.message.text);
  await sleep(3);
});
const update = (id) => ({
  update_id: id,
  message: {
    message_id: id,
    date: 0,
    text: `m${id}`,
    from: { id: 5, is_bot: false, first_name: 'a' },
    chat: { id: 7, type: 'private', first_name: 'a' },
  },
});
await Promise.all([1, 2, 3].map((id) => bot.handleUpdate(update(id))));
console.log([...rows.values()].join());
