// Five appends at once: each makes the one before it the head of the log.
const { Log, Identities, KeyStore, MemoryStorage } = await import(`orbitdb-${process.argv[2]}`);
const keystore = await KeyStore({ storage: await MemoryStorage() });
const identities = await Identities({ keystore, storage: await MemoryStorage() });
const identity = await identities.createIdentity({ id: 'ann' });
const log = await Log(identity, { logId: 'a' });
await Promise.all(Array.from({ length: 5 }, (_, i) => log.append(`entry ${i}`)));
const values = await log.values();
console.log(`${values.length} of 5 entries, ${(await log.heads()).length} head`);
