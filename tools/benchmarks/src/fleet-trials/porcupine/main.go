// Reads the operations of a history, and reports whether it is linearizable: each change creates the next revision, and
// each read returns the revision before it.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

type operation struct {
	Client   int   `json:"client"`
	Call     int64 `json:"call"`
	Return   int64 `json:"return"`
	IsRead   bool  `json:"isRead"`
	Revision int   `json:"revision"`
}

type history struct {
	First      int         `json:"first"`
	Operations []operation `json:"operations"`
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		fail(err)
	}
	var read history
	if err := json.Unmarshal(text, &read); err != nil {
		fail(err)
	}
	model := porcupine.Model{
		Init: func() interface{} { return read.First },
		Step: func(state, input, output interface{}) (bool, interface{}) {
			revision, is := state.(int), output.(int)
			if input.(bool) {
				return is == revision, revision
			}
			return is == revision+1, is
		},
	}
	operations := make([]porcupine.Operation, 0, len(read.Operations))
	for _, each := range read.Operations {
		operations = append(operations, porcupine.Operation{
			ClientId: each.Client,
			Input:    each.IsRead,
			Call:     each.Call,
			Output:   each.Revision,
			Return:   each.Return,
		})
	}
	switch porcupine.CheckOperationsTimeout(model, operations, 2*time.Minute) {
	case porcupine.Ok:
		fmt.Println("accepted")
	case porcupine.Illegal:
		fmt.Println("refused")
	default:
		fmt.Println("undecided")
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
