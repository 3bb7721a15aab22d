/** Forwards bytes between sockets: each argument is FROM=TO, where both are tcp:HOST:PORT or unix:PATH. */
import { rmSync } from 'node:fs';
import net from 'node:net';

for (const way of process.argv.slice(2)) {
  const [from = '', to = ''] = way.split('=');
  const server = net.createServer((incoming) => {
    const outgoing = net.connect(endpoint(to));
    incoming.pipe(outgoing).pipe(incoming);
    // If one side closes, the other connection is closed too.
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  const at = endpoint(from);
  if ('path' in at) rmSync(at.path, { force: true });
  server.listen(at);
}

function endpoint(text: string): { path: string } | { host: string; port: number } {
  const [kind, place = '', port] = text.split(':');
  return kind === 'unix' ? { path: place } : { host: place, port: Number(port) };
}
