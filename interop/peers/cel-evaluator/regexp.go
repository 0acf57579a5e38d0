package main

import "regexp"

type regexCase struct {
	Pattern string   `json:"pattern"`
	Texts   []string `json:"texts"`
}

type regexResult struct {
	Error string `json:"error,omitempty"`
	// For each text the places of all matches, in bytes.
	Matches [][][]int `json:"matches,omitempty"`
}

func evaluateRegexp(one regexCase) regexResult {
	compiled, err := regexp.Compile(one.Pattern)
	if err != nil {
		return regexResult{Error: err.Error()}
	}
	result := regexResult{Matches: [][][]int{}}
	for _, text := range one.Texts {
		found := compiled.FindAllStringSubmatchIndex(text, -1)
		if found == nil {
			found = [][]int{}
		}
		result.Matches = append(result.Matches, found)
	}
	return result
}
