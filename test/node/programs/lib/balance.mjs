export let balance = 100;
export let reports = 0;
export const LIMIT = 50;

export function setBalance(value) {
  balance = value;
}

export function report() {
  reports++;
}
