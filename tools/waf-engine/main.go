// Command waf-engine runs OWASP Coraza with the Core Rule Set for the module http.handlers.waf.
//
// It reads its settings from standard input, listens on a Unix domain socket, and exits when standard input ends, so that it never outlives
// the server. It writes JSON lines to standard output: its state first, then log entries.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"sync"
)

type settings struct {
	Socket     string   `json:"socket"`
	Directives string   `json:"directives"`
	Include    []string `json:"include"`
	CRS        bool     `json:"load_owasp_crs"`
}

type line struct {
	Ready   bool   `json:"ready,omitempty"`
	Error   string `json:"error,omitempty"`
	Level   string `json:"level,omitempty"`
	Message string `json:"message,omitempty"`
}

var output sync.Mutex

func report(entry line) {
	output.Lock()
	defer output.Unlock()
	_ = json.NewEncoder(os.Stdout).Encode(entry)
}

func main() {
	input := bufio.NewReader(os.Stdin)
	first, err := input.ReadBytes('\n')
	if err != nil {
		fmt.Fprintln(os.Stderr, "waf-engine is started by http.handlers.waf; it reads its settings from standard input")
		os.Exit(2)
	}
	var config settings
	if err := json.Unmarshal(first, &config); err != nil {
		fail(err)
	}
	waf, err := newWAF(config)
	if err != nil {
		fail(err)
	}
	listener, err := net.Listen("unix", config.Socket)
	if err != nil {
		fail(err)
	}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				fail(err)
			}
			go newSession(waf, connection).run()
		}
	}()
	report(line{Ready: true})
	for {
		if _, err := input.ReadByte(); err != nil {
			_ = listener.Close()
			os.Exit(0)
		}
	}
}

func fail(err error) {
	report(line{Error: err.Error()})
	os.Exit(1)
}
