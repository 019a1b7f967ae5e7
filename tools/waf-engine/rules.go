package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	coreruleset "github.com/corazawaf/coraza-coreruleset/v4"
	"github.com/corazawaf/coraza/v3"
	"github.com/corazawaf/coraza/v3/types"
)

func newWAF(config settings) (coraza.WAF, error) {
	rules := coraza.NewWAFConfig().WithErrorCallback(logMatch)
	if config.CRS {
		rules = rules.WithRootFS(rootFS{})
	}
	if config.Directives != "" {
		rules = rules.WithDirectives(config.Directives)
	}
	for _, pattern := range config.Include {
		files := []string{pattern}
		if strings.Contains(pattern, "*") {
			found, err := filepath.Glob(pattern)
			if err != nil {
				return nil, err
			}
			files = found
		}
		for _, file := range files {
			rules = rules.WithDirectivesFromFile(file)
		}
	}
	return coraza.NewWAF(rules)
}

// rootFS reads names that begin with "@" from the embedded rule set, and all others from the operating system.
type rootFS struct{}

func isEmbedded(name string) bool { return strings.HasPrefix(name, "@") }

func (rootFS) Open(name string) (fs.File, error) {
	if isEmbedded(name) {
		return coreruleset.FS.Open(name)
	}
	return os.Open(name)
}

func (rootFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if isEmbedded(name) {
		return fs.ReadDir(coreruleset.FS, name)
	}
	return os.ReadDir(name)
}

func logMatch(match types.MatchedRule) {
	level := "debug"
	switch match.Rule().Severity() {
	case types.RuleSeverityEmergency, types.RuleSeverityAlert, types.RuleSeverityCritical, types.RuleSeverityError:
		level = "error"
	case types.RuleSeverityWarning:
		level = "warn"
	case types.RuleSeverityNotice, types.RuleSeverityInfo:
		level = "info"
	}
	report(line{Level: level, Message: match.ErrorLog()})
}
