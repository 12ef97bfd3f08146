//! AdamW (Loshchilov and Hutter 2019) over a network's parameters.
//!
//! It works on plain arrays rather than through Burn's optimizer: there the norm of gradients is clipped for each tensor
//! alone, weight decay would fall on biases too, and moments are kept under random identities that a state file would
//! have to carry along.

use super::learner::LearnerConfig;
use super::network::Parameter;

/// Keeps the step finite where a gradient has always been zero.
const EPSILON: f32 = 1e-8;

/// The moments of the gradient, parallel to a network's parameters.
#[derive(Clone, Debug)]
pub(crate) struct Moments {
    pub(crate) first: Vec<Parameter>,
    pub(crate) second: Vec<Parameter>,
}

impl Moments {
    /// Nothing seen yet.
    pub(crate) fn zeros(parameters: &[Parameter]) -> Moments {
        let zero = |parameter: &Parameter| Parameter { values: vec![0.0; parameter.values.len()], ..parameter.clone() };
        let zeros: Vec<Parameter> = parameters.iter().map(zero).collect();
        Moments { first: zeros.clone(), second: zeros }
    }

    /// Takes step number `step`, from 1, along `gradients`.
    pub(crate) fn step(
        &mut self,
        parameters: &mut [Parameter],
        gradients: &[Parameter],
        (step, learning_rate): (u64, f32),
        config: &LearnerConfig,
    ) {
        let (beta1, beta2) = (config.beta1, config.beta2);
        // The moments start at zero and are too small at first.
        let correct = |beta: f32| (1.0 - f64::from(beta).powf(step as f64)) as f32;
        let (correct1, correct2) = (correct(beta1), correct(beta2));
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((parameter, gradient), (first, second)) in parameters.iter_mut().zip(gradients).zip(moments) {
            let decay = if parameter.is_bias() { 0.0 } else { config.weight_decay };
            let moments = first.values.iter_mut().zip(&mut second.values);
            for ((value, &slope), (first, second)) in parameter.values.iter_mut().zip(&gradient.values).zip(moments) {
                *first = beta1 * *first + (1.0 - beta1) * slope;
                *second = beta2 * *second + (1.0 - beta2) * slope * slope;
                let direction = (*first / correct1) / ((*second / correct2).sqrt() + EPSILON);
                *value -= learning_rate * (direction + decay * *value);
            }
        }
    }
}

/// The norm over all values of all parameters.
pub(crate) fn global_norm(gradients: &[Parameter]) -> f32 {
    let squares = gradients.iter().flat_map(|gradient| &gradient.values).map(|&value| f64::from(value).powi(2));
    squares.sum::<f64>().sqrt() as f32
}

/// Scales `gradients` of norm `norm` down to the norm `most` if they are longer.
pub(crate) fn clip(gradients: &mut [Parameter], norm: f32, most: f32) {
    if norm > most {
        let factor = most / norm;
        gradients.iter_mut().flat_map(|gradient| &mut gradient.values).for_each(|value| *value *= factor);
    }
}

/// Adds `terms` to `sums`.
pub(crate) fn add(sums: &mut [Parameter], terms: &[Parameter]) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        sum.values.iter_mut().zip(&term.values).for_each(|(sum, term)| *sum += term);
    }
}

/// Moves `average` towards `newest`, of which it keeps `decay` of itself.
pub(crate) fn average(average: &mut [Parameter], newest: &[Parameter], decay: f32) {
    for (average, newest) in average.iter_mut().zip(newest) {
        let values = average.values.iter_mut().zip(&newest.values);
        values.for_each(|(average, newest)| *average = decay * *average + (1.0 - decay) * newest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str, dims: &[usize], values: &[f32]) -> Parameter {
        Parameter { name: name.to_owned(), dims: dims.to_vec(), values: values.to_vec() }
    }

    #[test]
    fn the_norm_is_clipped_over_all_parameters_together() {
        let mut gradients = [parameter("a.weight", &[1, 2], &[3.0, 0.0]), parameter("a.bias", &[1], &[4.0])];
        assert_eq!(global_norm(&gradients), 5.0);
        clip(&mut gradients, 5.0, 10.0);
        assert_eq!(gradients[0].values, [3.0, 0.0], "short gradients stay as they are");
        clip(&mut gradients, 5.0, 1.0);
        assert!((gradients[0].values[0] - 0.6).abs() < 1e-6 && (gradients[1].values[0] - 0.8).abs() < 1e-6);
        assert!((global_norm(&gradients) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn weights_decay_and_biases_do_not() {
        let mut parameters = [parameter("a.weight", &[1, 1], &[2.0]), parameter("a.bias", &[1], &[2.0])];
        let still = [parameter("a.weight", &[1, 1], &[0.0]), parameter("a.bias", &[1], &[0.0])];
        let config = LearnerConfig { weight_decay: 0.5, ..LearnerConfig::default() };
        Moments::zeros(&parameters).step(&mut parameters, &still, (1, 0.1), &config);
        assert!((parameters[0].values[0] - 1.9).abs() < 1e-6);
        assert_eq!(parameters[1].values[0], 2.0);
    }

    #[test]
    fn the_first_step_is_as_long_as_the_learning_rate() {
        let mut parameters = [parameter("a.bias", &[2], &[0.0, 0.0])];
        let gradients = [parameter("a.bias", &[2], &[7.0, -0.01])];
        Moments::zeros(&parameters).step(&mut parameters, &gradients, (1, 0.1), &LearnerConfig::default());
        let [left, right] = parameters[0].values[..] else { panic!("two values") };
        assert!((left + 0.1).abs() < 1e-5 && (right - 0.1).abs() < 1e-5, "{left} {right}");
    }
}
