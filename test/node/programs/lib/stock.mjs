const stock = new Map([
  ['apples', 10],
  ['pears', 10],
]);

export function getStock(name) {
  return stock.get(name) ?? 0; // (1)
}

export function setStock(name, count) {
  stock.set(name, count); // (2)
}
