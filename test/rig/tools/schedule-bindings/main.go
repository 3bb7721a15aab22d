// Karmada's own scheduling algorithm, without an API server: for each line of standard input, a fleet of clusters and its bindings, it
// decides each binding by itself, and writes one line with the results in the same order.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"k8s.io/client-go/tools/cache"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	clusterlister "github.com/karmada-io/karmada/pkg/generated/listers/cluster/v1alpha1"
	schedulercache "github.com/karmada-io/karmada/pkg/scheduler/cache"
	"github.com/karmada-io/karmada/pkg/scheduler/core"
	"github.com/karmada-io/karmada/pkg/scheduler/framework"
	"github.com/karmada-io/karmada/pkg/scheduler/framework/plugins"
)

type round struct {
	Clusters []*clusterv1alpha1.Cluster      `json:"clusters"`
	Bindings []*workv1alpha2.ResourceBinding `json:"bindings"`
}

type answer struct {
	// The reason of the condition Scheduled.
	Reason   string                       `json:"reason"`
	Clusters []workv1alpha2.TargetCluster `json:"clusters"`
	Affinity string                       `json:"affinity"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var one round
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return err
		}
		algorithm, err := algorithmFor(one.Clusters)
		if err != nil {
			return err
		}
		results := make([]answer, len(one.Bindings))
		for i, binding := range one.Bindings {
			results[i] = decide(algorithm, binding)
		}
		if err := answers.Encode(results); err != nil {
			return err
		}
	}
	return lines.Err()
}

func algorithmFor(clusters []*clusterv1alpha1.Cluster) (core.ScheduleAlgorithm, error) {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for _, cluster := range clusters {
		if err := indexer.Add(cluster); err != nil {
			return nil, err
		}
	}
	known := schedulercache.NewCache(clusterlister.NewClusterLister(indexer), nil, 0)
	return core.NewGenericScheduler(known, plugins.NewInTreeRegistry())
}

// The terms of clusterAffinities in order, from the one in use: the algorithm itself decides by one term.
func decide(algorithm core.ScheduleAlgorithm, binding *workv1alpha2.ResourceBinding) answer {
	terms := binding.Spec.Placement.ClusterAffinities
	used := binding.Status.SchedulerObservedAffinityName
	if terms == nil {
		return once(algorithm, binding, used)
	}
	begin := 0
	for i, term := range terms {
		if term.AffinityName == used {
			begin = i
			break
		}
	}
	var first *answer
	for _, term := range terms[begin:] {
		result := once(algorithm, binding, term.AffinityName)
		if result.Reason == workv1alpha2.BindingReasonSuccess {
			return result
		}
		if first == nil {
			first = &result
		}
	}
	if first == nil {
		return answer{Reason: workv1alpha2.BindingReasonSchedulerError, Affinity: used}
	}
	first.Affinity = used
	return *first
}

func once(algorithm core.ScheduleAlgorithm, binding *workv1alpha2.ResourceBinding, affinity string) answer {
	spec, status := binding.Spec.DeepCopy(), binding.Status.DeepCopy()
	status.SchedulerObservedAffinityName = affinity
	result, err := algorithm.Schedule(context.Background(), spec, status, &core.ScheduleAlgorithmOption{})
	if err == nil {
		return answer{Reason: workv1alpha2.BindingReasonSuccess, Clusters: result.SuggestedClusters, Affinity: affinity}
	}
	return answer{Reason: reasonOf(err), Affinity: affinity}
}

func reasonOf(err error) string {
	var unschedulable *framework.UnschedulableError
	var unfit *framework.FitError
	switch {
	case errors.As(err, &unschedulable):
		return workv1alpha2.BindingReasonUnschedulable
	case errors.As(err, &unfit):
		return workv1alpha2.BindingReasonNoClusterFit
	}
	return workv1alpha2.BindingReasonSchedulerError
}
