extension Strategy {
  /// Where a strategy was published.
  package enum Source: String, Sendable, CaseIterable {
    case common = "common in the literature"
    case adami2013 =
      "Adami & Hintze, Evolutionary instability of zero-determinant strategies, Nature Communications 4, 2013"
    case andre2013 = "André et al., Iterated Prisoner's Dilemma: an extended analysis, BRICS-CCI 2013"
    case ashlock2006 =
      "Ashlock, Kim & Leahy, Understanding representational sensitivity, IEEE Trans. SMC C 36, 2006"
    case ashlock2006b =
      "Ashlock & Ashlock, Changes in prisoner's dilemma strategies over evolutionary time, CEC 2006"
    case ashlock2009 =
      "Ashlock, Kim & Ashlock, Fingerprint analysis of the noisy prisoner's dilemma, IEEE TCIAIG 1, 2009"
    case ashlock2014 = "Ashlock, Tsang & Ashlock, The evolution of exploitation, FOCI 2014"
    case ashlock2015 =
      "Ashlock, Brown & Hingston, Multiple opponent optimization of agents, IEEE TCIAIG 7, 2015"
    case axelrod1980 =
      "Axelrod, Effective Choice in the Prisoner's Dilemma, Journal of Conflict Resolution 24(1), 1980"
    case axelrod1980b =
      "Axelrod, More Effective Choice in the Prisoner's Dilemma, J. of Conflict Resolution 24(3), 1980"
    case axelrod1995 = "Wu & Axelrod, How to cope with noise, Journal of Conflict Resolution 39, 1995"
    case banks1990 =
      "Banks & Sundaram, Repeated games, finite automata, and complexity, Games & Econ. Behavior 2, 1990"
    case beaufils1997 = "Beaufils, Delahaye & Mathieu, Our meeting with gradual, Artificial Life V, 1997"
    case berg2015 = "van den Berg & Weissing, The importance of mechanisms, Proc. R. Soc. B 282, 2015"
    case case2019 = "Case, The evolution of trust, 2017 (ncase.me/trust)"
    case cristal2018 = "CRISTAL and SMAC, IPD: the iterated prisoner's dilemma, University of Lille, 2018"
    case frean1994 = "Frean, The prisoner's dilemma without synchrony, Proc. R. Soc. B 257, 1994"
    case harper2017 =
      "Harper et al., Reinforcement learning produces dominant strategies, PLoS ONE 12(12), 2017"
    case hilbe2017 = "Hilbe et al., Memory-n strategies of direct reciprocity, PNAS 114, 2017"
    case knight2023 = "Axelrod-Python project, Axelrod 4.14, 2024 (10.5281/zenodo.3336450)"
    case kuhn2017 = "Kuhn, Prisoner's Dilemma, Stanford Encyclopedia of Philosophy, 2017"
    case lessWrong2011 = "Prisoner's dilemma tournament results, LessWrong, 2011"
    case li2009 =
      "Li & Kendall, A strategy with novel evolutionary features, Evolutionary Computation 17, 2009"
    case li2011 = "Li, Hingston & Kendall, Engineering design of strategies, IEEE TCIAIG 3, 2011"
    case mathieu2015 =
      "Mathieu & Delahaye, New winning strategies for the iterated prisoner's dilemma, AAMAS 2015"
    case mittal2009 = "Mittal & Deb, Optimal strategies of the iterated prisoner's dilemma, IEEE TEC 13, 2009"
    case murase2020 = "Murase & Baek, Five rules for friendly rivalry, Scientific Reports 10, 2020"
    case nachbar1992 =
      "Nachbar, Evolution in the finitely repeated prisoner's dilemma, J. Econ. Behavior & Org. 19, 1992"
    case nowak1990 =
      "Nowak & Sigmund, The evolution of stochastic strategies, Acta Applicandae Mathematicae 20, 1990"
    case nowak1992 = "Nowak & Sigmund, Tit for tat in heterogeneous populations, Nature 355, 1992"
    case nowak1993 = "Nowak & Sigmund, A strategy of win-stay, lose-shift, Nature 364, 1993"
    case prison1998 = "PRISON, an iterated prisoner's dilemma simulator, LIFL, University of Lille, 1998"
    case press2012 = "Press & Dyson, Strategies that dominate any evolutionary opponent, PNAS 109, 2012"
    case robson1990 =
      "Robson, Efficiency in evolutionary games: the secret handshake, J. Theoretical Biology 144, 1990"
    case roemheld2013 = "Roemheld, Evolutionary extortion and mischief, arXiv 1308.2576, 2013"
    case li2014 =
      "Li, Strategies in the stochastic iterated prisoner's dilemma, University of Chicago REU, 2014"
    case slany2007 =
      "Slany & Kienreich, On some winning strategies, The Iterated Prisoners' Dilemma: 20 Years On, 2007"
    case stewart2012 =
      "Stewart & Plotkin, Extortion and cooperation in the prisoner's dilemma, PNAS 109, 2012"
    case tzafestas2000 = "Tzafestas, Toward adaptive cooperative behavior, SAB 2000"
  }
}
