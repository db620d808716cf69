export const name = 'late';
export async function setup(host) {
  await new Promise((r) => setTimeout(r, 1));
  host.extensions.push('.late');
}
