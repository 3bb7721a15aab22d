// Karmada's own division of replicas, asked by a bench: it reads the cases of a file, then for each line of standard input it decides one
// of them over and over for some milliseconds, and answers how long that took and what came out.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	"github.com/karmada-io/karmada/pkg/scheduler/core"
	"github.com/karmada-io/karmada/pkg/scheduler/core/spreadconstraint"
)

type share struct {
	Name     string `json:"name"`
	Replicas int32  `json:"replicas"`
}

type question struct {
	Strategy string `json:"strategy"`
	Mode     string `json:"mode"`
	Replicas int32  `json:"replicas"`
	UID      string `json:"uid"`
	Clusters []struct {
		Name      string            `json:"name"`
		Available int32             `json:"available"`
		Labels    map[string]string `json:"labels"`
	} `json:"clusters"`
	Current []share `json:"current"`
	Weights []struct {
		Labels map[string]string `json:"labels"`
		Weight int64             `json:"weight"`
	} `json:"weights"`
}

type command struct {
	Case int `json:"case"`
	// At least so long; 0 for once.
	Milliseconds int `json:"ms"`
}

type answer struct {
	Nanoseconds int64   `json:"ns"`
	Decisions   int     `json:"decisions"`
	Shares      []share `json:"shares"`
}

type decision func() ([]workv1alpha2.TargetCluster, error)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		return err
	}
	var questions []question
	if err := json.Unmarshal(text, &questions); err != nil {
		return err
	}
	decisions := make([]decision, len(questions))
	for i, one := range questions {
		decisions[i] = decide(one)
	}
	lines := bufio.NewScanner(os.Stdin)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked command
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			return err
		}
		answered, err := measure(decisions[asked.Case], time.Duration(asked.Milliseconds)*time.Millisecond)
		if err != nil {
			return err
		}
		if err := answers.Encode(answered); err != nil {
			return err
		}
	}
	return lines.Err()
}

func measure(once decision, atLeast time.Duration) (answer, error) {
	var result []workv1alpha2.TargetCluster
	var err error
	count := 0
	began := time.Now()
	for count == 0 || time.Since(began) < atLeast {
		if result, err = once(); err != nil {
			return answer{}, err
		}
		count++
	}
	answered := answer{Nanoseconds: time.Since(began).Nanoseconds(), Decisions: count}
	for _, one := range result {
		answered.Shares = append(answered.Shares, share{one.Name, one.Replicas})
	}
	return answered, nil
}

func decide(asked question) decision {
	clusters := make([]spreadconstraint.ClusterDetailInfo, len(asked.Clusters))
	held := map[string]int32{}
	spec := &workv1alpha2.ResourceBindingSpec{
		Resource:  workv1alpha2.ObjectReference{UID: types.UID(asked.UID)},
		Replicas:  asked.Replicas,
		Placement: &policyv1alpha1.Placement{ReplicaScheduling: scheduling(asked)},
	}
	for _, one := range asked.Current {
		held[one.Name] = one.Replicas
		spec.Clusters = append(spec.Clusters, workv1alpha2.TargetCluster{Name: one.Name, Replicas: one.Replicas})
	}
	for i, one := range asked.Clusters {
		clusters[i] = spreadconstraint.ClusterDetailInfo{
			Name:                one.Name,
			AllocatableReplicas: one.Available,
			AvailableReplicas:   int64(one.Available) + int64(held[one.Name]),
			Cluster:             &clusterv1alpha1.Cluster{ObjectMeta: metav1.ObjectMeta{Name: one.Name, Labels: one.Labels}},
		}
	}
	status := &workv1alpha2.ResourceBindingStatus{}
	if asked.Mode == "Fresh" {
		last := metav1.NewTime(time.Unix(1, 0))
		triggered := metav1.NewTime(time.Unix(2, 0))
		status.LastScheduledTime = &last
		spec.RescheduleTriggeredAt = &triggered
	}
	return func() ([]workv1alpha2.TargetCluster, error) { return core.AssignReplicas(clusters, spec, status) }
}

func scheduling(asked question) *policyv1alpha1.ReplicaSchedulingStrategy {
	strategy := &policyv1alpha1.ReplicaSchedulingStrategy{
		ReplicaSchedulingType:     policyv1alpha1.ReplicaSchedulingTypeDivided,
		ReplicaDivisionPreference: policyv1alpha1.ReplicaDivisionPreferenceWeighted,
	}
	switch asked.Strategy {
	case "Aggregated":
		strategy.ReplicaDivisionPreference = policyv1alpha1.ReplicaDivisionPreferenceAggregated
	case "DynamicWeight":
		strategy.WeightPreference = &policyv1alpha1.ClusterPreferences{DynamicWeight: policyv1alpha1.DynamicWeightByAvailableReplicas}
	case "StaticWeight":
		strategy.WeightPreference = &policyv1alpha1.ClusterPreferences{}
		for _, one := range asked.Weights {
			target := policyv1alpha1.ClusterAffinity{LabelSelector: &metav1.LabelSelector{MatchLabels: one.Labels}}
			rule := policyv1alpha1.StaticClusterWeight{TargetCluster: target, Weight: one.Weight}
			strategy.WeightPreference.StaticWeightList = append(strategy.WeightPreference.StaticWeightList, rule)
		}
	}
	return strategy
}
