// Command cel-judge tells what Kubernetes' own CEL makes of expressions: it reads cases as JSON from its input and prints
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
	Cases   []celAnswer   `json:"cases,omitempty"`
	Regexps []regexAnswer `json:"regexps,omitempty"`
}

// Maps have another order each time, and costs that depend on it are no facts.
const (
	timesAsked   = 10
	cheapCostMax = 100_000
)

func judgeOften(one celCase) (*celAnswer, error) {
	first, err := judge(one)
	if err != nil || first.cost > cheapCostMax {
		return first, err
	}
	for range timesAsked {
		again, err := judge(one)
		if err != nil {
			return nil, err
		}
		if !reflect.DeepEqual(first, again) {
			return nil, errors.New("the answer is not always the same")
		}
	}
	return first, nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "cel-judge:", err)
		os.Exit(1)
	}
}

func run() error {
	var asked request
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		return err
	}
	var answered reply
	for _, one := range asked.Cases {
		answer, err := judgeOften(one)
		if err != nil {
			return fmt.Errorf("%s: %w", one.Name, err)
		}
		answered.Cases = append(answered.Cases, *answer)
	}
	for _, one := range asked.Regexps {
		answered.Regexps = append(answered.Regexps, judgeRegexp(one))
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(answered)
}
