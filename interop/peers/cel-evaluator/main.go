// Command cel-evaluator tells what Kubernetes' own CEL makes of expressions: it reads cases as JSON from its input and prints
// for each one the type, the value or the error, and what it costs.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
)

type request struct {
	Cases   []celCase   `json:"cases"`
	Regexps []regexCase `json:"regexps"`
}

type reply struct {
	Cases   []celResult   `json:"cases,omitempty"`
	Regexps []regexResult `json:"regexps,omitempty"`
}

// Maps have another order each time, and costs that depend on it are no facts.
const (
	timesAsked   = 10
	cheapCostMax = 100_000
)

func evaluateTwice(one celCase) (*celResult, error) {
	first, err := evaluateCase(one)
	if err != nil || first.cost > cheapCostMax {
		return first, err
	}
	for range timesAsked {
		again, err := evaluateCase(one)
		if err != nil {
			return nil, err
		}
		if !reflect.DeepEqual(first, again) {
			return nil, errors.New("the result is not always the same")
		}
	}
	return first, nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "cel-evaluator:", err)
		os.Exit(1)
	}
}

func run() error {
	var asked request
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		return err
	}
	var results reply
	for _, one := range asked.Cases {
		result, err := evaluateTwice(one)
		if err != nil {
			return fmt.Errorf("%s: %w", one.Name, err)
		}
		results.Cases = append(results.Cases, *result)
	}
	for _, one := range asked.Regexps {
		results.Regexps = append(results.Regexps, evaluateRegexp(one))
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(results)
}
