/** A block of a program that an access is in. */
export interface OpenBlock {
  readonly label: string;
  /** The number of its begin, in the trace of its process. */
  readonly begin: number;
  readonly outer: OpenBlock | null;
}

/** What one step of a store did to one variable. */
export interface StepAccess {
  readonly variable: number;
  /** The number of the event, in the trace of its process. */
  readonly event: number;
  readonly thread: string;
  readonly block: OpenBlock | null;
  readonly kind: 'read' | 'write' | 'update';
  /** As `valueCode` has them. */
  readonly seen: string;
  readonly wrote: string;
  /** Of changes of one variable, those with larger numbers are later; 0 if nobody knows. */
  readonly version: number;
}

/** What a store did at once for one process. */
export interface Step {
  readonly process: number;
  readonly number: number;
  readonly connection: number;
  readonly sent: number;
  readonly accesses: StepAccess[];
}

/** Something in a store that processes have come to. */
export interface StoreVariable {
  readonly store: string;
  readonly name: string;
  /** The name of what it is a part of. */
  readonly within: string | null;
  /** Whether it is about when something goes by itself. */
  readonly isExpiry: boolean;
}

/** What the traces of several processes say of the stores that they share. */
export interface Evidence {
  readonly processes: number;
  readonly variables: readonly StoreVariable[];
  /** By process, in the order of their answers. */
  readonly steps: readonly (readonly Step[])[];
  readonly meetings: readonly Meeting[];
}

/** What comes before a cause in the one process comes before what is behind its effect in the other. */
export interface Meeting {
  readonly cause: { readonly process: number; readonly step: number | null };
  readonly effect: { readonly process: number; readonly step: number | null };
}
