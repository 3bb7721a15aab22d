/** Time that runs faster than the wall's, the same in every process that has its values. */
export interface FastTime {
  /** Milliseconds since 1970 of the wall, and of this time in the same moment. */
  readonly since: number;
  readonly start: number;
  readonly speed: number;
}

export function fastNow({ since, start, speed }: FastTime, wall: number): number {
  return Math.floor(start + (wall - since) * speed);
}

/** The same time at another speed from now on. */
export function withSpeed(time: FastTime, speed: number, wall: number): FastTime {
  return { since: wall, start: fastNow(time, wall), speed };
}
