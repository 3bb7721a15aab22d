/** An error for the user of the rig, shown as one message without a stack. */
export class RigFailure extends Error {}
