// @ts-nocheck: enums need more than erasing types
import { parentPort, workerData } from 'node:worker_threads';

enum Start {
  at = 0,
}

parentPort?.postMessage((workerData as number[]).reduce((sum: number, n: number) => sum + n, Start.at));
