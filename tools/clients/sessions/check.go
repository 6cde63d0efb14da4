// What the sessions in Go share.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
)

var facts = readFacts()
var failed = false

type known struct {
	URL             string `json:"url"`
	Key             string `json:"key"`
	SpentKey        string `json:"spentKey"`
	Tenant          string `json:"tenant"`
	ForeignTenant   string `json:"foreignTenant"`
	Employee        string `json:"employee"`
	Order           string `json:"order"`
	Document        string `json:"document"`
	Incident        string `json:"incident"`
	PayrollDocument string `json:"payrollDocument"`
	// By the status of what they answer.
	BrokenFiles map[string]string `json:"brokenFiles"`
}

// brokenFiles are what no client can bring about: the service has files that are broken in these ways.
var brokenFiles = []struct {
	status int
	code   string
}{
	{500, "INTERNAL_SERVER_ERROR"},
	{502, "BAD_GATEWAY"},
	{503, "SERVICE_UNAVAILABLE"},
	{504, "GATEWAY_TIMEOUT"},
}

func readFacts() (found known) {
	text, err := os.ReadFile("facts.json")
	if err == nil {
		err = json.Unmarshal(text, &found)
	}
	if err != nil {
		panic(err)
	}
	return found
}

// step runs a step and says how it went; the session goes on in any case.
func step(name string, work func() error) {
	if err := work(); err != nil {
		fmt.Printf("failed %s: %v\n", name, err)
		failed = true
	} else {
		fmt.Printf("ok %s\n", name)
	}
}

func equal(actual, expected any) error {
	if reflect.DeepEqual(actual, expected) {
		return nil
	}
	return fmt.Errorf("%v instead of %v", actual, expected)
}

func equalBytes(actual []byte, file string) error {
	expected, err := os.ReadFile(file)
	if err == nil && !bytes.Equal(actual, expected) {
		err = fmt.Errorf("%d other bytes than %s", len(actual), file)
	}
	return err
}

func equalFile(actual, file string) error {
	content, err := os.ReadFile(actual)
	if err != nil {
		return err
	}
	return equalBytes(content, file)
}

func end() {
	if failed {
		os.Exit(1)
	}
}
