/** Time that runs faster than the wall's, the same in every process that gets its start and speed. */
export interface FastTime {
  /** Milliseconds since 1970, when the two times were the same. */
  readonly start: number;
  readonly speed: number;
}

export function fastNow({ start, speed }: FastTime, wall: number): number {
  return Math.floor(start + (wall - start) * speed);
}
