// expect: violation Feed.more
class Feed {
  cursor = 0;
  items = [];

  async more() {
    const { cursor } = this; // (1)
    const page = await this.fetchPage(cursor);
    this.items.push(...page);
    this.cursor = cursor + page.length; // (2)
  }

  async fetchPage(from) {
    await new Promise(setImmediate);
    return [from, from + 1];
  }
}

const feed = new Feed();
await Promise.all([feed.more(), feed.more()]);
console.log(feed.items);
