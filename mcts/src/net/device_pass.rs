//! The forward pass on a device of its own, which computes while the processor does something else.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use burn::tensor::{Device, ExecutionError, Int, Tensor, TensorData, Transaction};
use heng_env::{Action, Game};

use super::batch::encode_batch;
use super::fast::softmax;
use super::model::{Model, Outputs};
use crate::evaluator::Evaluation;
use crate::value::Wdl;

/// A network on a device that Burn runs on.
#[derive(Debug)]
pub(crate) struct DevicePass {
    model: Model,
    device: Device,
}

/// Positions that the device is at work on, or has answered.
#[derive(Debug)]
pub(crate) struct Pending {
    /// Legal steps of each position.
    legal_counts: Vec<usize>,
    read: Read,
}

type Answer = Result<Vec<TensorData>, ExecutionError>;
type AnswerFuture = Pin<Box<dyn Future<Output = Answer> + Send>>;

enum Read {
    Done(Answer),
    UnderWay(AnswerFuture),
}

impl DevicePass {
    pub(crate) fn new(model: Model, device: Device) -> DevicePass {
        DevicePass { model, device }
    }

    /// Hands the device all of its work on `positions`, of which there is at least one, and the copying of its answers
    /// behind it: what is handed over later does not delay them.
    pub(crate) fn submit<G: Game>(&self, positions: &[&G]) -> Pending {
        let inputs = encode_batch(positions);
        let (batch, planes, ranks, files) = inputs.dim();
        let data = TensorData::new(inputs.into_raw_vec_and_offset().0, [batch, planes, ranks, files]);
        let (legal, legal_counts) = self.legal_actions(positions);
        let Outputs { policy, wdl, .. } = self.model.forward(Tensor::from_data(data, &self.device));
        // Of thousands of logits a few dozen are of legal steps: the others stay where they are.
        let answers = Transaction::default().register(policy.gather(1, legal)).register(wdl).execute_async();
        Pending { legal_counts, read: Read::begin(Box::pin(answers)) }
    }

    /// The legal steps of every position, `[batch, most of a position]`, padded with the step 0; and how many each has.
    fn legal_actions<G: Game>(&self, positions: &[&G]) -> (Tensor<2, Int>, Vec<usize>) {
        let mut actions: Vec<Action> = Vec::new();
        let mut all = Vec::new();
        let mut counts = Vec::with_capacity(positions.len());
        for position in positions {
            position.legal_actions(&mut actions);
            all.extend(actions.iter().map(|action| action.index() as i32));
            counts.push(actions.len());
        }
        let width = counts.iter().copied().max().unwrap_or(0);
        let mut padded = vec![0; counts.len() * width];
        let mut rest = &all[..];
        for (row, &count) in padded.chunks_exact_mut(width).zip(&counts) {
            let (own, others) = rest.split_at(count);
            row[..count].copy_from_slice(own);
            rest = others;
        }
        (Tensor::from_data(TensorData::new(padded, [counts.len(), width]), &self.device), counts)
    }
}

impl Pending {
    /// Waits for the answers and writes them to `out`, parallel to the positions.
    ///
    /// # Panics
    /// If the device failed: its driver was lost, or its memory is full.
    pub(crate) fn collect(self, out: &mut [Evaluation]) {
        assert_eq!(self.legal_counts.len(), out.len(), "one answer for each position that was submitted");
        let data = self.read.wait().unwrap_or_else(|error| panic!("the device failed: {error}"));
        let [policy, wdl] = <[TensorData; 2]>::try_from(data).expect("both tensors were read");
        let policy: Vec<f32> = policy.try_to_vec().expect("logits are f32");
        let wdl: Vec<f32> = wdl.try_to_vec().expect("logits are f32");
        let width = policy.len() / out.len();
        let rows = policy.chunks_exact(width).zip(wdl.as_chunks::<3>().0);
        for ((out, &legal), (logits, &wdl)) in out.iter_mut().zip(&self.legal_counts).zip(rows) {
            let mut wdl = wdl;
            softmax(&mut wdl);
            out.wdl = Wdl { win: wdl[0], draw: wdl[1], loss: wdl[2] };
            out.priors.clear();
            out.priors.extend_from_slice(&logits[..legal]);
            softmax(&mut out.priors);
        }
    }
}

impl Read {
    /// Starts to read: Burn asks the device for a copy when it is polled first.
    fn begin(mut answers: AnswerFuture) -> Read {
        match answers.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(answer) => Read::Done(answer),
            Poll::Pending => Read::UnderWay(answers),
        }
    }

    fn wait(self) -> Answer {
        let mut answers = match self {
            Read::Done(answer) => return answer,
            Read::UnderWay(answers) => answers,
        };
        let waker = Waker::from(Arc::new(Unpark(thread::current())));
        let mut context = Context::from_waker(&waker);
        loop {
            if let Poll::Ready(answer) = answers.as_mut().poll(&mut context) {
                return answer;
            }
            thread::park();
        }
    }
}

/// Wakes the thread that waits.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

impl fmt::Debug for Read {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Read::Done(_) => "Done",
            Read::UnderWay(_) => "UnderWay",
        })
    }
}
