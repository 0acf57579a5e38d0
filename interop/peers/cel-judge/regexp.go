package main

import "regexp"

type regexCase struct {
	Pattern string   `json:"pattern"`
	Texts   []string `json:"texts"`
}

type regexAnswer struct {
	Error string `json:"error,omitempty"`
	// For each text the places of all matches, in bytes.
	Matches [][][]int `json:"matches,omitempty"`
}

func judgeRegexp(one regexCase) regexAnswer {
	compiled, err := regexp.Compile(one.Pattern)
	if err != nil {
		return regexAnswer{Error: err.Error()}
	}
	answer := regexAnswer{Matches: [][][]int{}}
	for _, text := range one.Texts {
		found := compiled.FindAllStringSubmatchIndex(text, -1)
		if found == nil {
			found = [][]int{}
		}
		answer.Matches = append(answer.Matches, found)
	}
	return answer
}
