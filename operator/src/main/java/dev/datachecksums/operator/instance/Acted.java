package dev.datachecksums.operator.instance;

/** How an act on a pod ended. What the API server could not or would not answer is thrown, and tried again by the reconcile. */
public enum Acted {
    /** It is as asked, or was so already. */
    DONE,
    /** There is no pod of that name and uid any more; one of the same name is another pod and was not touched. */
    GONE,
    /** The pod is there, but is not as it was observed (marked for deletion, or changing all the time): look again. */
    STALE
}
