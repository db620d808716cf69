/*
 * Says so if this Node is too old, and ends: everything else here would fail with an error of the language. It is loaded first,
 * and built for whatever can load it; the build puts the version in.
 */
declare const OLDEST_NODE: string;

const numbers = (version: string) => version.split('.').map(Number);
const [major, minor] = numbers(process.versions.node);
const [needed, neededMinor] = numbers(OLDEST_NODE);
if (major < needed || (major === needed && minor < neededMinor)) {
  process.stderr.write(
    'error: trackside needs Node ' +
      OLDEST_NODE +
      ' or newer, and this is Node ' +
      process.versions.node +
      '.\nNothing was run. Install a newer Node, for example with: nvm install --lts\nThen run the same command again.\n',
  );
  process.exit(2);
}
