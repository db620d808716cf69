// Builds what watches Java programs, with Maven, and puts it where `trackside java` looks for it.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const { status, error } = spawnSync('mvn', ['-q', '-B', 'package'], { cwd: `${root}java`, stdio: 'inherit' });
if (error !== undefined) {
  console.error('Maven is missing. To build the Java part: apt-get install openjdk-17-jdk-headless maven');
  process.exit(2);
}
if (status !== 0) process.exit(status ?? 2);
mkdirSync(`${root}dist/java`, { recursive: true });
for (const jar of ['agent/target/trackside-agent.jar', 'annotations/target/trackside-annotations-0.1.0.jar'])
  copyFileSync(
    `${root}java/${jar}`,
    `${root}dist/java/${jar.replace(/^.*\//, '').replace(/-[\d.]+\.jar$/, '.jar')}`,
  );
