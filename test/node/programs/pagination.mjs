// expect: violation Feed.more
class Feed {
  cursor = 0;
  items = [];

  async more() {
    const page = await this.fetchPage(this.cursor); // (1)
    this.items.push(...page);
    this.cursor = this.cursor + page.length; // (2)
  }

  async fetchPage(from) {
    await new Promise(setImmediate);
    return [from, from + 1];
  }
}

const feed = new Feed();
await Promise.all([feed.more(), feed.more()]);
console.log(feed.items);
