package experiment

import (
	"errors"
	"fmt"
	"slices"

	"banditsim/bandit"
	"banditsim/bandit/experiment/internal/figuresection"
	"banditsim/internal/yamltree"
	"banditsim/results/compare"
	"banditsim/results/figure"
)

// ReadFigure reads the options of figures from a style file, whose keys are those of figure.Keys, or from the
// figure section of an experiment file. Options that it lacks are those of figure.DefaultOptions. Errors
// give line and column.
func ReadFigure(path string) (figure.Options, error) {
	root, err := yamltree.ReadFile("style file", path)
	if err != nil {
		return figure.Options{}, err
	}
	switch section := root.Get("figure"); {
	case section != nil:
		return figuresection.Read(section)
	case root.Get("environment") != nil || root.Get("extends") != nil:
		return figure.Options{}, root.Wrap(errors.New("the experiment file has no figure section"))
	}
	return figuresection.Read(root)
}

func (r *fileReader) figure(n *yamltree.Node) error {
	o, err := figuresection.Read(n)
	r.e.Figure, r.e.figureAt = &o, n.Place
	return err
}

// checkFigure returns an error if the figure names a policy that there is not, or rounds that the protocol does
// not have. The policies may be others than those of this run.
func (e Experiment) checkFigure(c *Catalog, policies []resolvedPolicy, protocol bandit.Protocol) error {
	if e.Figure == nil {
		return nil
	}
	known := variantNames(e.Variants)
	for _, p := range policies {
		known = append(known, p.Name)
	}
	for _, p := range c.Policies() {
		known = append(known, p.Name)
	}
	err := e.Figure.CheckLabels(known)
	for _, name := range e.Figure.Policies {
		if err == nil && !slices.Contains(known, name) {
			err = fmt.Errorf("figure: %w", unknown("policy", name, known))
		}
	}
	if f := e.Figure; err == nil && (f.From > protocol.Rounds || f.To != compare.LastRound && (f.To < f.From || f.To > protocol.Rounds)) {
		err = fmt.Errorf("figure: from round %d to round %d: want rounds of 1 to %d", f.From, min(f.To, protocol.Rounds), protocol.Rounds)
	}
	return e.figureAt.Wrap(err)
}
