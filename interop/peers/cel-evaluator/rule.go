package main

import (
	"context"
	"fmt"
	"sort"

	"github.com/google/cel-go/checker"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// evaluateRule puts the expression into the schema as a rule, as a custom resource definition has it.
func evaluateRule(one celCase) (*ruleResult, error) {
	structural, err := structuralOf(one.Schema)
	if err != nil {
		return nil, err
	}
	rule := apiextensionsv1.ValidationRule{Rule: one.Expression}
	if one.OptionalOldSelf {
		optional := true
		rule.OptionalOldSelf = &optional
	}
	structural.XValidations = apiextensionsv1.ValidationRules{rule}
	declared := model.SchemaDeclType(structural, false)
	compiled, err := schemacel.Compile(structural, declared, celconfig.PerCallLimit,
		environment.MustBaseEnvSet(version.MajorMinor(1, 36)), schemacel.NewExpressionsEnvLoader())
	if err != nil {
		return nil, err
	}
	result := &ruleResult{Remaining: celconfig.RuntimeCELCostBudget, UsesOldSelf: compiled[0].UsesOldSelf}
	if compiled[0].Error != nil {
		result.CompileError = plain(compiled[0].Error.Error())
		return result, nil
	}
	result.MaxCost = fmt.Sprint(compiled[0].MaxCost)
	result.MaxCardinality = fmt.Sprint(compiled[0].MaxCardinality)
	self, err := decode(one.Self)
	if err != nil {
		return nil, err
	}
	oldSelf, err := decode(one.OldSelf)
	if err != nil {
		return nil, err
	}
	validator := schemacel.NewValidator(structural, false, celconfig.PerCallLimit)
	found, remaining := validator.Validate(context.Background(), field.NewPath("root"), structural, self, oldSelf, celconfig.RuntimeCELCostBudget)
	for _, one := range found {
		result.Errors = append(result.Errors, plain(one.Error()))
	}
	sort.Strings(result.Errors)
	result.Remaining = remaining
	return result, nil
}

// sizeEstimator finds the bound that the schema sets to what an expression names.
type sizeEstimator struct {
	root *apiservercel.DeclType
}

func (s *sizeEstimator) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	if len(element.Path()) == 0 {
		return nil
	}
	at := s.root
	for _, step := range element.Path()[1:] {
		if at = below(at, step); at == nil {
			return nil
		}
	}
	return &checker.SizeEstimate{Min: 0, Max: uint64(at.MaxElements)}
}

func below(at *apiservercel.DeclType, step string) *apiservercel.DeclType {
	switch step {
	case "@items", "@values":
		return at.ElemType
	case "@keys":
		return at.KeyType
	}
	if found, ok := at.Fields[step]; ok {
		return found.Type
	}
	return nil
}

func (s *sizeEstimator) EstimateCallCost(_, _ string, _ *checker.AstNode, _ []checker.AstNode) *checker.CallEstimate {
	return nil
}
