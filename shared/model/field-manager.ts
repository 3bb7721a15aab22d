/** By which name what we apply is known as ours: in an object's managedFields. */
export const FIELD_MANAGER = 'evenkeel';
