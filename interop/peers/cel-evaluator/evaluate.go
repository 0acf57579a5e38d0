package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

type celCase struct {
	Name       string `json:"name"`
	Expression string `json:"expression"`
	// Schema makes it a rule of a custom resource: the variables are self and oldSelf, of this schema.
	Schema          json.RawMessage `json:"schema"`
	Self            json.RawMessage `json:"self"`
	OldSelf         json.RawMessage `json:"oldSelf"`
	OptionalOldSelf bool            `json:"optionalOldSelf"`
	// Without a schema: object is of any type, and there is an authorizer.
	Object json.RawMessage `json:"object"`
}

type celResult struct {
	Name         string `json:"name"`
	CompileError string `json:"compileError,omitempty"`
	Type         string `json:"type,omitempty"`
	Value        string `json:"value,omitempty"`
	Error        string `json:"error,omitempty"`
	// Costs are text: they reach 2^64 - 1.
	EstimatedMin string `json:"estimatedMin,omitempty"`
	EstimatedMax string `json:"estimatedMax,omitempty"`
	ActualCost   string `json:"actualCost,omitempty"`
	cost         uint64
	// Rule is set for expressions with a schema that are of type bool.
	Rule *ruleResult `json:"rule,omitempty"`
}

// ruleResult is the result of the validator of custom resources.
type ruleResult struct {
	CompileError   string   `json:"compileError,omitempty"`
	MaxCost        string   `json:"maxCost,omitempty"`
	MaxCardinality string   `json:"maxCardinality,omitempty"`
	UsesOldSelf    bool     `json:"usesOldSelf,omitempty"`
	Errors         []string `json:"errors,omitempty"`
	Remaining      int64    `json:"remaining"`
}

// The name of the type of self has digits of the clock in it.
var selfTypeName = regexp.MustCompile(`selfType\d+`)

func evaluateCase(one celCase) (*celResult, error) {
	result := &celResult{Name: one.Name}
	set, variables, estimator, err := environmentOf(one)
	if err != nil {
		return nil, err
	}
	env := set.NewExpressionsEnv()
	checked, issues := env.Compile(one.Expression)
	if issues != nil && issues.Err() != nil {
		result.CompileError = plain(issues.String())
	} else if err := evaluate(env, checked, variables, estimator, result); err != nil {
		return nil, err
	}
	if one.Schema != nil {
		result.Rule, err = evaluateRule(one)
	}
	return result, err
}

func evaluate(env *cel.Env, checked *cel.Ast, variables map[string]any, estimator *library.CostEstimator, result *celResult) error {
	result.Type = plain(cel.FormatCELType(checked.OutputType()))
	estimated, err := env.EstimateCost(checked, estimator)
	if err != nil {
		return err
	}
	result.EstimatedMin = fmt.Sprint(estimated.Min)
	result.EstimatedMax = fmt.Sprint(estimated.Max)
	program, err := env.Program(checked,
		cel.CostLimit(celconfig.PerCallLimit),
		cel.CostTracking(estimator),
		cel.InterruptCheckFrequency(celconfig.CheckFrequency),
	)
	if err != nil {
		result.CompileError = "program instantiation failed: " + plain(err.Error())
		return nil
	}
	value, details, err := program.ContextEval(context.Background(), variables)
	if details != nil && details.ActualCost() != nil {
		result.cost = *details.ActualCost()
		result.ActualCost = fmt.Sprint(result.cost)
	}
	if err != nil {
		result.Error = plain(err.Error())
		return nil
	}
	result.Value = plain(render(value))
	return nil
}

func plain(text string) string {
	return selfTypeName.ReplaceAllString(text, "selfType")
}

func environmentOf(one celCase) (*environment.EnvSet, map[string]any, *library.CostEstimator, error) {
	base := environment.MustBaseEnvSet(version.MajorMinor(1, 36))
	if one.Schema == nil {
		return policyEnvironment(base, one)
	}
	structural, err := structuralOf(one.Schema)
	if err != nil {
		return nil, nil, nil, err
	}
	declared := model.SchemaDeclType(structural, false)
	if declared == nil {
		return nil, nil, nil, errors.New("the schema has no type in CEL")
	}
	declared = declared.MaybeAssignTypeName("selfType1")
	oldType := declared.CelType()
	if one.OptionalOldSelf {
		oldType = types.NewOptionalType(declared.CelType())
	}
	set, err := base.Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions: []cel.EnvOption{
			cel.Variable("self", declared.CelType()),
			cel.Variable("oldSelf", oldType),
		},
		DeclTypes: []*apiservercel.DeclType{declared},
	})
	if err != nil {
		return nil, nil, nil, err
	}
	variables, err := ruleVariables(one, structural)
	return set, variables, &library.CostEstimator{SizeEstimator: &sizeEstimator{root: declared}}, err
}

func ruleVariables(one celCase, structural *schema.Structural) (map[string]any, error) {
	self, err := decode(one.Self)
	if err != nil {
		return nil, err
	}
	oldSelf, err := decode(one.OldSelf)
	if err != nil {
		return nil, err
	}
	variables := map[string]any{"self": schemacel.UnstructuredToVal(self, structural)}
	switch {
	case one.OptionalOldSelf && oldSelf == nil:
		variables["oldSelf"] = types.OptionalNone
	case one.OptionalOldSelf:
		variables["oldSelf"] = types.OptionalOf(schemacel.UnstructuredToVal(oldSelf, structural))
	case oldSelf != nil:
		variables["oldSelf"] = schemacel.UnstructuredToVal(oldSelf, structural)
	}
	return variables, nil
}

func policyEnvironment(base *environment.EnvSet, one celCase) (*environment.EnvSet, map[string]any, *library.CostEstimator, error) {
	set, err := base.Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions: []cel.EnvOption{
			cel.Variable("object", cel.DynType),
			cel.Variable("authorizer", library.AuthorizerType),
			cel.Variable("authorizer.requestResource", library.ResourceCheckType),
		},
	}, environment.VersionedOptions{
		// Mutating policies have it beside the base.
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{environment.UnversionedLib(library.JSONPatch)},
	})
	if err != nil {
		return nil, nil, nil, err
	}
	object, err := decode(one.Object)
	if err != nil {
		return nil, nil, nil, err
	}
	who := &user.DefaultInfo{Name: "alice", Groups: []string{"eu"}}
	variables := map[string]any{
		"object":                     object,
		"authorizer":                 library.NewAuthorizerVal(who, decider{}),
		"authorizer.requestResource": library.NewResourceAuthorizerVal(who, decider{}, requestResource{}),
	}
	return set, variables, &library.CostEstimator{}, nil
}

func structuralOf(text json.RawMessage) (*schema.Structural, error) {
	var props apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(text, &props); err != nil {
		return nil, err
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, &internal, nil); err != nil {
		return nil, err
	}
	return schema.NewStructural(&internal)
}

func decode(text json.RawMessage) (any, error) {
	if len(strings.TrimSpace(string(text))) == 0 {
		return nil, nil
	}
	var value any
	err := utiljson.Unmarshal(text, &value)
	return value, err
}
