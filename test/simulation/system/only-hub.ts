/** The only hub of a history with one hub. */
export const HUB = 'karmada';
