// expect: violation Room.join
class Room {
  members = [];
  limit = 1;

  async join(name) {
    if (this.members.length >= this.limit) throw new Error('full'); // (1)
    await this.announce(name);
    this.members.push(name); // (2)
  }

  async announce() {
    await null;
  }
}

const room = new Room();
console.log(await Promise.allSettled([room.join('ann'), room.join('bob')]), room.members);
