/** Default grace period of the admission rules, in seconds, which can't read settings. The functions write their own setting to the entry. */
export const DEFAULT_GRACE_SECONDS = 600;
