import type { EventBatch } from '../../trace/batch.ts';
import { MAX_CHUNK_EVENTS } from './layout.ts';

/*
 * Where a chunk is taken apart. These arrays are shared by all decoders of the process, because a chunk is
 * decoded and copied out in one go; and they are constants of the module, because the compiler then knows
 * their addresses and lengths: the loops below run in half the time that they need on arrays they are given.
 */

// The tables of the chunk. An action is a thread doing an operation; see docs/reference/formats/trk.md.
export const actionOp = new Uint8Array(MAX_CHUNK_EVENTS);
export const actionThread = new Int32Array(MAX_CHUNK_EVENTS);
export const actionLeastOperand = new Int32Array(MAX_CHUNK_EVENTS);
/** How far above the least operand there are still names. */
export const actionOperandRange = new Int32Array(MAX_CHUNK_EVENTS);
export const chunkLocations = new Int32Array(MAX_CHUNK_EVENTS);

// The columns as they are stored, by byte: the lowest byte of every action, the next byte of every action, …
const action0 = new Uint8Array(MAX_CHUNK_EVENTS);
const action1 = new Uint8Array(MAX_CHUNK_EVENTS);
const operand0 = new Uint8Array(MAX_CHUNK_EVENTS);
const operand1 = new Uint8Array(MAX_CHUNK_EVENTS);
const operand2 = new Uint8Array(MAX_CHUNK_EVENTS);
const operand3 = new Uint8Array(MAX_CHUNK_EVENTS);
const location0 = new Uint8Array(MAX_CHUNK_EVENTS);
const location1 = new Uint8Array(MAX_CHUNK_EVENTS);
const actionPlanes = [action0, action1] as const;
const operandPlanes = [operand0, operand1, operand2, operand3] as const;
const locationPlanes = [location0, location1] as const;

// The events.
const op = new Uint8Array(MAX_CHUNK_EVENTS);
const thread = new Int32Array(MAX_CHUNK_EVENTS);
const operand = new Int32Array(MAX_CHUNK_EVENTS);
const location = new Int32Array(MAX_CHUNK_EVENTS);

/** What is stored in a chunk: how many events, and in how many bytes each column has its values. */
export interface ColumnSizes {
  events: number;
  actionWidth: number;
  operandWidth: number;
  locationWidth: number;
}

/**
 * Decodes the columns that start at `bytes[from]`. False if an index points past `actions` or `locations`, the
 * sizes of the tables, or an operand past its range.
 */
export function decodeColumns(
  bytes: Uint8Array,
  from: number,
  sizes: ColumnSizes,
  actions: number,
  locations: number,
): boolean {
  const { events, actionWidth, operandWidth, locationWidth } = sizes;
  const operands = loadPlanes(bytes, from, events, actionWidth, actionPlanes);
  const rest = loadPlanes(bytes, operands, events, operandWidth, operandPlanes);
  loadPlanes(bytes, rest, events, locationWidth, locationPlanes);
  const narrow = actionWidth === 1 && operandWidth <= 2 && locationWidth <= 1;
  return narrow ? combineNarrow(events, actions, locations) : combineAny(events, actions, locations);
}

/** Copies events `start … end` of those decoded last behind the ones that `batch` holds. */
export function copyEvents(start: number, end: number, batch: EventBatch): void {
  batch.op.set(op.subarray(start, end), batch.length);
  batch.thread.set(thread.subarray(start, end), batch.length);
  batch.operand.set(operand.subarray(start, end), batch.length);
  batch.location.set(location.subarray(start, end), batch.length);
}

/**
 * Replaces each operand by its entry in the map of its operation, where there is one. Returns the index of the first
 * event for which that is negative, or -1.
 */
export function renameOperands(events: number, maps: readonly (Int32Array | null)[]): number {
  let refused = -1;
  for (let i = 0; i < events; i++) {
    const map = maps[op[i]];
    if (map === null) continue;
    operand[i] = map[operand[i]];
    if (operand[i] < 0 && refused < 0) refused = i;
  }
  return refused;
}

/** The operation of an event of those decoded last. */
export function decodedOperation(index: number): number {
  return op[index];
}

/** Copies the planes that the chunk has and clears the others; returns where the next column starts. */
function loadPlanes(
  bytes: Uint8Array,
  from: number,
  events: number,
  width: number,
  planes: readonly Uint8Array[],
): number {
  let at = from;
  for (let i = 0; i < planes.length; i++) {
    if (i < width) {
      planes[i].set(bytes.subarray(at, at + events));
      at += events;
    } else {
      planes[i].fill(0, 0, events);
    }
  }
  return at;
}

/** The widths of nearly all chunks: up to 256 actions, 65,536 operands and 256 locations. */
function combineNarrow(events: number, actions: number, locations: number): boolean {
  // Negative as soon as one difference is: one test after the loop instead of three an event.
  let outside = 0;
  for (let i = 0; i < events; i++) {
    const action = action0[i];
    const above = operand0[i] | (operand1[i] << 8);
    const place = location0[i];
    outside |= (actions - 1 - action) | (actionOperandRange[action] - above) | (locations - 1 - place);
    op[i] = actionOp[action];
    thread[i] = actionThread[action];
    operand[i] = actionLeastOperand[action] + above;
    location[i] = chunkLocations[place];
  }
  return outside >= 0;
}

function combineAny(events: number, actions: number, locations: number): boolean {
  let outside = 0;
  for (let i = 0; i < events; i++) {
    const action = action0[i] | (action1[i] << 8);
    const above = operand0[i] | (operand1[i] << 8) | (operand2[i] << 16) | (operand3[i] << 24);
    const place = location0[i] | (location1[i] << 8);
    outside |=
      (actions - 1 - action) | (actionOperandRange[action] - above) | above | (locations - 1 - place);
    op[i] = actionOp[action];
    thread[i] = actionThread[action];
    operand[i] = actionLeastOperand[action] + above;
    location[i] = chunkLocations[place];
  }
  return outside >= 0;
}
