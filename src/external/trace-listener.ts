import { readFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';

/** What a process says about itself before its trace: one line of JSON. */
export interface Introduction {
  pid: number;
  /** What people call the program: its main class, the name of its executable. */
  name: string;
}

/** The trace that one process is writing. */
export interface ExternalTrace extends Introduction {
  /** `.trk`, as it is written. It ends when the process does, in whatever way. */
  stream: Socket;
}

/** An introduction is short; what has no end of line within this is none. */
const LONGEST_INTRODUCTION = 64 * 1024;

/**
 * Where processes that are watched deliver their traces: a socket in the file system, and a connection for each
 * process. What is not read yet makes the process wait, so that nothing piles up on either side.
 */
export class TraceListener {
  readonly path: string;
  readonly #server: Server;
  readonly #connections = new Set<Socket>();
  readonly #introductions = new Set<Promise<void>>();
  readonly #onTrace: (trace: ExternalTrace) => void;
  readonly #onStranger: (what: string) => void;
  /** A connection that was left to a process by which nothing has come yet. */
  #unused: Socket | null = null;
  #accepted = 0;

  /** `onTrace` is called for each process that introduces itself, `onStranger` for what came instead of that. */
  static async open(
    path: string,
    onTrace: (trace: ExternalTrace) => void,
    onStranger: (what: string) => void,
  ): Promise<TraceListener> {
    const server = createServer();
    const listener = new TraceListener(path, server, onTrace, onStranger);
    server.on('connection', (socket) => listener.#accept(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
    return listener;
  }

  private constructor(
    path: string,
    server: Server,
    onTrace: (trace: ExternalTrace) => void,
    onStranger: (what: string) => void,
  ) {
    this.path = path;
    this.#server = server;
    this.#onTrace = onTrace;
    this.#onStranger = onStranger;
  }

  /** Listens also to a connection that a process has from its start, and may leave unused. */
  leave(socket: Socket): void {
    this.#unused = socket;
    socket.on('error', () => undefined);
    socket.once('readable', () => {
      this.#unused = null;
      // At the end, there is nothing to be read.
      if (socket.readableLength > 0) this.#accept(socket);
      else socket.destroy();
    });
  }

  /** How many processes have connected. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Until everybody who has connected by now has been introduced: a process may be over before we have heard of it. */
  async settled(): Promise<void> {
    do {
      // What waits to be accepted comes with the next round of the event loop.
      for (let round = 0; round < 2; round++) await new Promise((resolve) => setImmediate(resolve));
      await Promise.all(this.#introductions);
    } while (this.#introductions.size > 0);
  }

  /**
   * Nobody is listened to any more, except processes that still have something to say: one that outlives the command,
   * such as a daemon, is left alone as soon as it has been silent for so long.
   */
  close(patienceMs: number): void {
    this.#server.close();
    this.#unused?.destroy();
    for (const socket of this.#connections) {
      socket.setTimeout(patienceMs, () => {
        // Silence counts only where it is theirs: while we are busy with what they said, they cannot go on.
        if (socket.readableLength === 0 && !socket.isPaused()) socket.destroy();
      });
    }
  }

  #accept(socket: Socket): void {
    this.#accepted++;
    this.#connections.add(socket);
    socket.on('close', () => this.#connections.delete(socket));
    // A process that is killed resets its connection; what it had sent is there all the same.
    socket.on('error', () => undefined);
    const introduced = introductionFrom(socket).then(
      (introduction) => this.#onTrace({ ...introduction, stream: socket }),
      (error: Error) => {
        socket.destroy();
        this.#onStranger(error.message);
      },
    );
    this.#introductions.add(introduced);
    introduced.finally(() => this.#introductions.delete(introduced));
  }
}

async function introductionFrom(socket: Socket): Promise<Introduction> {
  const line = await firstLine(socket);
  const { pid, name } = JSON.parse(line) as Partial<Introduction>;
  if (typeof pid !== 'number' || typeof name !== 'string') throw new Error('it did not say who it is');
  return { pid, name };
}

/** Reads up to the first end of line; what follows stays in the stream. */
function firstLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    const settle = (act: () => void) => {
      socket.off('readable', look);
      socket.off('end', end);
      socket.off('close', end);
      act();
    };
    const end = () => settle(() => reject(new Error('it ended before it had said who it is')));
    const look = () => {
      for (;;) {
        const chunk = socket.read() as Buffer | null;
        if (chunk === null) return;
        head = Buffer.concat([head, chunk]);
        const at = head.indexOf(0x0a);
        if (at >= 0) {
          const rest = head.subarray(at + 1);
          settle(() => {
            if (rest.length > 0) socket.unshift(rest);
            resolve(head.toString('utf8', 0, at));
          });
          return;
        }
        if (head.length > LONGEST_INTRODUCTION) {
          settle(() => reject(new Error('it did not say who it is')));
          return;
        }
      }
    };
    socket.on('readable', look);
    socket.on('end', end);
    socket.on('close', end);
    // Of a connection that was left to a process, something has come already.
    look();
  });
}

/**
 * What a process had to say about what it did not watch, a sentence a line: it writes that to a file beside the socket,
 * where it stays if the process is killed.
 */
export async function notesOf(socketPath: string, pid: number): Promise<string[]> {
  const text = await readFile(notesPath(socketPath, pid), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line.trim() !== '');
}

export function notesPath(socketPath: string, pid: number): string {
  return `${socketPath}.${pid}.notes`;
}
