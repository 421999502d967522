package stream

// Trial returns the streams of a trial by role: the environment's, the policy's, and that of the pulls which the protocol chooses in
// burn-in. Trials of one seed meet the same draws of the environment, whatever their policy.
func Trial(seed uint64) (environment, policy, burnIn *Stream) {
	root := Root(seed)
	return root.Child("environment"), root.Child("policy"), root.Child("burn-in")
}
