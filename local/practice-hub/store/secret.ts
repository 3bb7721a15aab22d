/** How the API server converts a Secret when it is written. For the practice hub's table of kinds. */
import { isFields } from './structural-schema.ts';

/** `stringData` is write-only: its entries are stored in `data`, in base64, and replace entries of the same name. */
export function decodedSecret<T extends Readonly<Record<string, unknown>>>(secret: T): T {
  const { stringData, data, type, ...rest } = secret;
  const given = isFields(stringData) ? Object.entries(stringData) : [];
  const entries = given.map(([name, value]) => [name, Buffer.from(String(value)).toString('base64')] as const);
  const merged = { ...(isFields(data) ? data : {}), ...Object.fromEntries(entries) };
  const decoded = { ...rest, ...(Object.keys(merged).length > 0 && { data: merged }), type: type || 'Opaque' };
  return decoded as unknown as T;
}
