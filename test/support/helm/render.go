// Renders a Helm chart with Go's template engine and Helm's library of functions (sprig), both from Debian. It reads
// {"chart", "values", "release"} from standard input and writes {"path": "rendered text"}.
// It knows the functions that Helm adds and that the chart uses. Another one is an error when the templates are parsed.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type request struct {
	Chart   string                 `json:"chart"`
	Values  map[string]interface{} `json:"values"`
	Release map[string]interface{} `json:"release"`
}

func main() {
	var asked request
	check(json.NewDecoder(os.Stdin).Decode(&asked))
	rendered, err := render(asked)
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}

func check(err error) {
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func render(asked request) (map[string]string, error) {
	chart, err := readYaml(filepath.Join(asked.Chart, "Chart.yaml"))
	if err != nil {
		return nil, err
	}
	defaults, err := readYaml(filepath.Join(asked.Chart, "values.yaml"))
	if err != nil {
		return nil, err
	}
	// Templates see the fields of the chart in Go's spelling: .Chart.AppVersion.
	metadata := map[string]interface{}{}
	for key, value := range chart {
		metadata[strings.ToUpper(key[:1])+key[1:]] = value
	}
	data := map[string]interface{}{
		"Values":  merge(defaults, asked.Values),
		"Release": asked.Release,
		"Chart":   metadata,
	}
	return execute(filepath.Join(asked.Chart, "templates"), data)
}

func readYaml(path string) (map[string]interface{}, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	read := map[string]interface{}{}
	return read, yaml.Unmarshal(text, &read)
}

// Merges given values into the defaults as Helm does: maps by their keys, and a null removes a default.
func merge(defaults, given map[string]interface{}) map[string]interface{} {
	merged := map[string]interface{}{}
	for key, value := range defaults {
		merged[key] = value
	}
	for key, value := range given {
		from, isMap := merged[key].(map[string]interface{})
		into, isMapToo := value.(map[string]interface{})
		if value == nil {
			delete(merged, key)
		} else if isMap && isMapToo {
			merged[key] = merge(from, into)
		} else {
			merged[key] = value
		}
	}
	return merged
}

func execute(folder string, data interface{}) (map[string]string, error) {
	root := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	// Helm leaves these out.
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["include"] = func(name string, dot interface{}) (string, error) {
		var text strings.Builder
		err := root.ExecuteTemplate(&text, name, dot)
		return text.String(), err
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	root.Funcs(functions)
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if _, err := root.New(filepath.Base(path)).Parse(string(text)); err != nil {
			return nil, err
		}
	}
	rendered := map[string]string{}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text strings.Builder
		if err := root.ExecuteTemplate(&text, name, data); err != nil {
			return nil, err
		}
		rendered[name] = strings.ReplaceAll(text.String(), "<no value>", "")
	}
	return rendered, nil
}
