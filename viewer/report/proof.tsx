import type { ProofResult } from '../../src/check/result.ts';

/** Whether the violation changed what the program does, with what was different when the calls took turns. */
export function Proof({ proof: { verdict, message, differences } }: { proof: ProofResult }) {
  return (
    <>
      <p class={verdict === 'harmful' ? 'message proved' : 'message'}>{message}</p>
      {differences.length > 0 && (
        <table class="differences">
          <thead>
            <tr>
              <th scope="col">Outcome</th>
              <th scope="col">As observed</th>
              <th scope="col">One after the other</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ what, name, observed, serial }) => (
              <tr key={`${what} ${name}`}>
                <th scope="row">
                  {name === undefined ? what : `${what === 'file' ? what : `${what} of`} ${name}`}
                </th>
                <td>
                  <pre>{observed.join('\n')}</pre>
                </td>
                <td>
                  <pre>{serial.join('\n')}</pre>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
