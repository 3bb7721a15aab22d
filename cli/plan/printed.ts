/** What a plan comes to, whatever was planned. */
export interface PrintedPlan {
  readonly text: string;
  /** For stderr, a line each. */
  readonly notes: readonly string[];
  /** What could not be read and is missing in the plan, a line each. */
  readonly unread: readonly string[];
  readonly moves: boolean;
}
