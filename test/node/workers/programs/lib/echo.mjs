let text = '';
for await (const piece of process.stdin) text += piece;
process.stdout.write(text.toUpperCase());
console.error('read', text.length);
