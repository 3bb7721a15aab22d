/** What a person who runs the rig has to know: one message, no stack. */
export class RigFailure extends Error {}
